# What the testbenches of the exported core share: the core, and the images of kernels. Each has its own `KERNELS` and `run`.
WARPLOOM ?= warploom
MECHANISM ?= spe
BUILD ?= build

core = --preset tiny --mechanism $(MECHANISM)
images = $(KERNELS:%=$(BUILD)/%/program.hex)

.DEFAULT_GOAL = run

$(BUILD)/core.v:
	$(WARPLOOM) export core $(core) -o $(BUILD)

$(images): $(BUILD)/%/program.hex:
	$(WARPLOOM) run $* --size smoke $(core) --image $(BUILD)/$* >/dev/null

clean:
	rm -rf $(BUILD)

.PHONY: run clean
