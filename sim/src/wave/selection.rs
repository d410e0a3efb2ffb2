//! The nets of a waveform, and the signals behind them.
use std::collections::{BTreeSet, HashMap};

use crate::engine::{Bits, ObservedNet, Simulator};
use crate::glob::Globs;

/// Nets to write. Those that always have the same value are one signal under several names.
pub struct Selection {
    nets: Vec<ObservedNet>,
    /// By net.
    signals_of: Vec<usize>,
    /// In the order of the words they are in.
    signals: Vec<Signal>,
    /// Where their values are, once more: all that has to be looked at where a word changes.
    bits: Vec<Bits>,
    /// By word: the first of the signals in it; one more at the end.
    first_in: Vec<usize>,
}

/// Values that change together.
pub struct Signal {
    /// Bits, counting those that are always zero.
    pub width: usize,
    /// Variant names by encoding, when it is shown by name.
    pub variants: Option<Vec<String>>,
}

impl Selection {
    /// The observed nets of `simulator` that one of `globs` matches.
    pub fn new(simulator: &Simulator, globs: &Globs) -> Self {
        let observed = simulator.observed().iter().enumerate();
        let (indices, nets): (Vec<usize>, Vec<ObservedNet>) =
            observed.filter(|(_, net)| globs.matches(&net.path)).map(|(i, net)| (i, net.clone())).unzip();
        let key =
            |(net, &index): (&ObservedNet, &usize)| (simulator.observed_bits(index), net.width, net.variants.clone());
        let keys: Vec<_> = nets.iter().zip(&indices).map(key).collect();
        let in_order: BTreeSet<_> = keys.iter().cloned().collect();
        let numbers: HashMap<_, usize> = in_order.iter().zip(0..).collect();
        let signals_of = keys.iter().map(|key| numbers[key]).collect();
        let bits: Vec<Bits> = in_order.iter().map(|(bits, ..)| *bits).collect();
        let words = simulator.observed_words().len();
        let first_in = (0..=words).map(|slot| bits.partition_point(|bits| (bits.slot as usize) < slot)).collect();
        let signals = in_order.into_iter().map(|(_, width, variants)| Signal { width, variants }).collect();
        Self { nets, signals_of, signals, bits, first_in }
    }

    /// The nets.
    pub fn nets(&self) -> &[ObservedNet] {
        &self.nets
    }

    /// The number of the signal behind `nets()[net]`.
    pub(super) fn signal_of(&self, net: usize) -> usize {
        self.signals_of[net]
    }

    /// The signals.
    pub(super) fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// Where the signals' values are.
    pub(super) fn bits(&self) -> &[Bits] {
        &self.bits
    }

    /// The signals in word `slot`: the number of the first, and where their values are.
    pub(super) fn bits_in(&self, slot: usize) -> (usize, &[Bits]) {
        let (first, end) = (self.first_in[slot], self.first_in[slot + 1]);
        (first, &self.bits[first..end])
    }
}
