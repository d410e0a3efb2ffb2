//! How a mechanism and what is added to it is spelled: `capri+lcp`, `dpe:constrained`, `tbc+slp=wid`.
//!
//! `tbc+dpe` is spelled as an addition, in any order with the others, and is a mechanism with a line of its own: it has another stack, another scoreboard, other
//! [traits](super::Traits). Its variants stand behind the addition: `tbc+dpe:constrained`.
use std::fmt;
use std::str::FromStr;

use super::{ADDITIONS, Choice, Entry, LIKELY_CONVERGENCE, MECHANISMS, Mechanism, Permutation};
use crate::config::CoreConfig;

/// A mechanism and what is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composition {
    /// What handles divergence.
    pub mechanism: Mechanism,
    /// `+lcp`: likely-convergence points on its stack.
    pub likely_convergence: bool,
    /// `+slp`: permutation of lanes at launch.
    pub permutation: Permutation,
}

/// Why there is nothing of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpellingError {
    /// A name that is none.
    #[error("{message}")]
    Unknown {
        /// That there is no such thing.
        message: String,
        /// What stands there.
        name: String,
        /// What could.
        names: Vec<&'static str>,
        /// Whether the list of mechanisms has these.
        is_listed: bool,
    },
    /// Something else where a number is to be.
    #[error("{message}")]
    Number {
        /// What is to be there.
        message: String,
        /// Why it is none.
        source: std::num::ParseIntError,
    },
    /// Names that do not go together.
    #[error("{0}")]
    Wrong(String),
}

impl CoreConfig {
    /// The same core with another mechanism.
    pub fn with(self, composition: impl Into<Composition>) -> Self {
        let Composition { mechanism, likely_convergence, permutation } = composition.into();
        Self { mechanism, likely_convergence, permutation, ..self }
    }

    /// Its mechanism.
    pub fn composition(&self) -> Composition {
        let Self { mechanism, likely_convergence, permutation, .. } = *self;
        Composition { mechanism, likely_convergence, permutation }
    }
}

impl From<Mechanism> for Composition {
    fn from(mechanism: Mechanism) -> Self {
        Self { mechanism, likely_convergence: false, permutation: Permutation::None }
    }
}

/// `name{:variant}`; a name that is meant when none is given is left out, a number never.
impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = self.entry();
        f.write_str(entry.name())?;
        entry.spelled().iter().try_for_each(|choice| match (choice, choice.get(*self)) {
            (Choice::Number { .. }, Some(number)) => write!(f, ":{number}"),
            (Choice::Name { names, .. }, Some(place)) if place > 0 => write!(f, ":{}", names[place]),
            _ => Ok(()),
        })
    }
}

/// `mechanism{+lcp|+slp=permutation}`
impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mechanism)?;
        if self.likely_convergence {
            write!(f, "+{}", LIKELY_CONVERGENCE.name)?;
        }
        self.permutation.name().map_or(Ok(()), |name| write!(f, "+slp={name}"))
    }
}

impl FromStr for Mechanism {
    type Err = SpellingError;

    fn from_str(text: &str) -> Result<Self, SpellingError> {
        let (name, variants) = text.split_once(':').map_or((text, None), |(name, variants)| (name, Some(variants)));
        let names = || MECHANISMS.iter().map(|entry| entry.name());
        let entry = Entry::find(name).ok_or_else(|| unknown("mechanism", name, names(), true))?;
        let mut mechanism = entry.default;
        let mut chosen: Vec<&str> = vec![];
        for variant in variants.into_iter().flat_map(|variants| variants.split(':')) {
            let (choice, value) = entry.variant(variant)?;
            if chosen.contains(&choice.name()) {
                return Err(wrong(format!("{text} chooses its {} twice", choice.name())));
            }
            chosen.push(choice.name());
            mechanism = choice.with(mechanism, value);
        }
        Ok(mechanism)
    }
}

impl Entry {
    /// What stands behind a colon: which choice, and what is chosen.
    fn variant(&self, text: &str) -> Result<(&'static Choice, usize), SpellingError> {
        let name = self.name();
        let named = |choice: &'static Choice| {
            let place = choice.names()?.iter().position(|other| *other == text)?;
            Some(Ok((choice, place)))
        };
        let names = self.spelled().iter().filter_map(Choice::names).flatten();
        let number = |choice: &'static Choice| {
            let Choice::Number { of, tried, .. } = choice else { return None };
            let other =
                || names.clone().nth(1).map_or(String::new(), |other| format!("; {name}:{other} is another one"));
            let message = || format!("{name}:N takes a number of {of}, as in {name}:{}{}", tried[0], other());
            let number = text.parse().map_err(|source| SpellingError::Number { message: message(), source });
            Some(number.map(|number| (choice, number)))
        };
        let choices = || self.spelled().iter();
        choices().find_map(named).or_else(|| choices().find_map(number)).unwrap_or_else(|| {
            Err(match self.spelled {
                0 => wrong(format!("{name} has no variants")),
                _ => unknown(&format!("variant of {name}"), text, names.copied(), false),
            })
        })
    }
}

impl FromStr for Composition {
    type Err = SpellingError;

    fn from_str(text: &str) -> Result<Self, SpellingError> {
        // An alias may end in the sign that separates additions.
        let aliased = MECHANISMS.iter().find_map(|entry| {
            let rest = text.strip_prefix(entry.alias?)?;
            (rest.is_empty() || rest.starts_with('+')).then_some((entry.name(), rest.strip_prefix('+')))
        });
        let split = || text.split_once('+').map_or((text, None), |(name, additions)| (name, Some(additions)));
        let (name, additions) = aliased.unwrap_or_else(split);
        let mut composition = Self::from(name.parse::<Mechanism>()?);
        for addition in additions.into_iter().flat_map(|additions| additions.split('+')) {
            composition.add(addition)?;
        }
        Ok(composition)
    }
}

impl Composition {
    fn add(&mut self, addition: &str) -> Result<(), SpellingError> {
        let (name, value) = addition.split_once('=').map_or((addition, None), |(name, value)| (name, Some(value)));
        let variant = name.strip_prefix("dpe:");
        let name = if variant.is_some() { "dpe" } else { name };
        let twice = match name {
            "lcp" if value.is_some() => return Err(wrong(format!("{name} takes no value"))),
            "lcp" => std::mem::replace(&mut self.likely_convergence, true),
            "dpe" if value.is_some() => return Err(wrong(format!("{name} takes no value"))),
            "dpe" if self.mechanism.traits().entry_sides > 1 => true,
            "dpe" => {
                let none = || wrong(format!("dual paths are for tbc and tbc-plus, not for {}", self.mechanism));
                self.mechanism = self.mechanism.with_dual_paths().ok_or_else(none)?;
                if let Some(variant) = variant {
                    self.mechanism = format!("{}:{variant}", self.mechanism).parse()?;
                }
                false
            }
            "slp" => {
                let permutation = value.map_or(Ok(Permutation::ALL[1]), permutation)?;
                std::mem::replace(&mut self.permutation, permutation) != Permutation::None
            }
            _ => {
                let message = format!("there is nothing called `{name}` to add to a mechanism");
                let names = ADDITIONS.iter().map(|addition| addition.name).collect();
                return Err(SpellingError::Unknown { message, name: name.to_string(), names, is_listed: true });
            }
        };
        if twice { Err(wrong(format!("{name} is there twice"))) } else { Ok(()) }
    }
}

fn permutation(name: &str) -> Result<Permutation, SpellingError> {
    let none = || unknown("permutation", name, Permutation::named().map(|(name, _)| name), false);
    Permutation::named().find(|(other, _)| *other == name).map(|(_, permutation)| permutation).ok_or_else(none)
}

fn unknown(what: &str, name: &str, names: impl Iterator<Item = &'static str>, is_listed: bool) -> SpellingError {
    let message = format!("there is no {what} `{name}`");
    SpellingError::Unknown { message, name: name.to_string(), names: names.collect(), is_listed }
}

fn wrong(text: String) -> SpellingError {
    SpellingError::Wrong(text)
}
