//! Host runtime, reference model, loader, kernels, and one testbench per module.
