use super::*;
use crate::catalog::CATALOG;

#[test]
fn every_mechanism_has_its_line() {
    for entry in MECHANISMS {
        assert!(std::ptr::eq(entry.default.entry(), entry), "{}", entry.name());
        assert!(std::ptr::eq(Entry::find(entry.name()).unwrap(), entry), "{}", entry.name());
        assert!(entry.representatives.iter().any(|one| one.on_tiny().mechanism.entry().name() == entry.name()));
        assert!(entry.spelled <= entry.choices.len(), "{}", entry.name());
        for choice in entry.choices {
            for value in choice.tried() {
                assert_eq!(choice.get(choice.with(entry.default, value)), Some(value), "{}", choice.name());
            }
        }
    }
}

#[test]
fn blocks_are_in_the_catalog() {
    let abouts = MECHANISMS.iter().map(|entry| &entry.about).chain(ADDITIONS);
    let stacks = MECHANISMS.iter().map(|entry| &entry.stack);
    for block in abouts.flat_map(|about| about.blocks).chain(stacks) {
        assert!(CATALOG.iter().any(|entry| entry.name == *block), "{block}");
    }
}

#[test]
fn representatives_are_cores_and_cover_every_stack() {
    let spellings: Vec<&str> = representatives().map(|one| one.spelling).collect();
    assert_eq!(spellings.len(), 23, "what the tests take depends on it: {spellings:?}");
    for representative in representatives() {
        let config = representative.on_tiny();
        assert_eq!(config.check(), Ok(()));
        let spelled: Composition = representative.spelling.parse().unwrap();
        assert_eq!(config.composition().to_string(), spelled.to_string());
        assert!(representative.on_paper_core().is_none_or(|config| config.check().is_ok()));
    }
    for entry in stacks() {
        assert!(covering().any(|one| one.on_tiny().mechanism.entry().stack == entry.stack), "{}", entry.name());
    }
}

/// Spelled in any way, and as it is printed.
#[test]
fn spellings() {
    let capri = Mechanism::Capri(AdequacyPredictor { entries: 32, history: AdequacyHistory::Latest });
    let dual = Mechanism::DualPath;
    let (cta, core) = (WarpFormation::DEFAULT, WarpFormation { scope: FormationScope::Core, ..WarpFormation::DEFAULT });
    let dwf = |policy| Mechanism::WarpFormation(WarpFormation { policy, ..cta });
    let in_core = |policy| Mechanism::WarpFormation(WarpFormation { policy, ..core });
    let lwm = |threads, jumps| Mechanism::LargeWarps(LargeWarps { threads, jumps });
    let wb_in_core = Mechanism::WarpBarriers(core);
    let wb = |policy| Mechanism::WarpBarriers(WarpFormation { policy, ..WarpFormation::DEFAULT });
    for (text, mechanism, likely_convergence, permutation, canonical) in [
        ("spe", Mechanism::SinglePath, false, Permutation::None, "spe"),
        ("spe+lcp", Mechanism::SinglePath, true, Permutation::None, "spe+lcp"),
        ("tbc", Mechanism::Tbc, false, Permutation::None, "tbc"),
        ("tbc+lcp", Mechanism::Tbc, true, Permutation::None, "tbc+lcp"),
        ("tbc+", Mechanism::TbcPlus, false, Permutation::None, "tbc-plus"),
        ("tbc++lcp", Mechanism::TbcPlus, true, Permutation::None, "tbc-plus+lcp"),
        ("tbc-plus+slp", Mechanism::TbcPlus, false, Permutation::Balanced, "tbc-plus+slp=balanced"),
        ("capri+slp=rev_wid", capri, false, Permutation::ReversedWarpNumber, "capri+slp=rev_wid"),
        ("capri+slp=random+lcp", capri, true, Permutation::Random, "capri+lcp+slp=random"),
        ("dpe", dual(DualPathVariant::Full), false, Permutation::None, "dpe"),
        ("dpe:full", dual(DualPathVariant::Full), false, Permutation::None, "dpe"),
        ("dpe:constrained", dual(DualPathVariant::Constrained), false, Permutation::None, "dpe:constrained"),
        ("dpe:optimistic", dual(DualPathVariant::Optimistic), false, Permutation::None, "dpe:optimistic"),
        ("scs", Mechanism::SchedulableStack(Turns::DEFAULT), false, Permutation::None, "scs"),
        ("dpe+slp", dual(DualPathVariant::Full), false, Permutation::Balanced, "dpe+slp=balanced"),
        ("dwf", dwf(IssuePolicy::Majority), false, Permutation::None, "dwf"),
        ("dwf:majority", dwf(IssuePolicy::Majority), false, Permutation::None, "dwf"),
        ("dwf:lowest_pc+slp", dwf(IssuePolicy::LowestPc), false, Permutation::Balanced, "dwf:lowest_pc+slp=balanced"),
        ("dwf:core", in_core(IssuePolicy::Majority), false, Permutation::None, "dwf:core"),
        ("dwf:cta", dwf(IssuePolicy::Majority), false, Permutation::None, "dwf"),
        ("dwf:core:oldest", in_core(IssuePolicy::Oldest), false, Permutation::None, "dwf:oldest:core"),
        (
            "dwf:oldest:core+slp",
            in_core(IssuePolicy::Oldest),
            false,
            Permutation::Balanced,
            "dwf:oldest:core+slp=balanced",
        ),
        ("dwf-wb:core", wb_in_core, false, Permutation::None, "dwf-wb:core"),
        ("dwf-wb", wb(IssuePolicy::Majority), false, Permutation::None, "dwf-wb"),
        ("dwf-wb:oldest+slp", wb(IssuePolicy::Oldest), false, Permutation::Balanced, "dwf-wb:oldest+slp=balanced"),
        ("lwm", lwm(256, JumpIssue::Once), false, Permutation::None, "lwm:256"),
        ("lwm:64:packed-jumps", lwm(64, JumpIssue::Packed), false, Permutation::None, "lwm:64:packed-jumps"),
        ("tbc+dpe", Mechanism::TbcDualPath, false, Permutation::None, "tbc+dpe"),
        ("tbc++dpe", Mechanism::TbcPlusDualPath, false, Permutation::None, "tbc-plus+dpe"),
        ("tbc+dpe:full", Mechanism::TbcDualPath, false, Permutation::None, "tbc+dpe"),
        ("tbc+dpe:constrained", Mechanism::TbcDualPathConstrained, false, Permutation::None, "tbc+dpe:constrained"),
        (
            "tbc++slp+dpe:constrained",
            Mechanism::TbcPlusDualPathConstrained,
            false,
            Permutation::Balanced,
            "tbc-plus+dpe:constrained+slp=balanced",
        ),
        ("tbc-plus+slp+dpe", Mechanism::TbcPlusDualPath, false, Permutation::Balanced, "tbc-plus+dpe+slp=balanced"),
    ] {
        let composition: Composition = text.parse().unwrap();
        assert_eq!(composition, Composition { mechanism, likely_convergence, permutation }, "{text}");
        assert_eq!(composition.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(composition));
    }
    for (name, permutation) in Permutation::named() {
        let composition: Composition = format!("tbc+slp={name}").parse().unwrap();
        assert_eq!(composition.permutation, permutation);
    }
}

#[test]
fn in_full() {
    assert_eq!(Mechanism::DualPath(DualPathVariant::Constrained).in_full(), "dpe:constrained");
    let predictor = AdequacyPredictor { entries: 2, history: AdequacyHistory::TwoBit };
    assert_eq!(Mechanism::Capri(predictor).in_full(), "capri (capt_entries 2, history 2bit)");
}

#[test]
fn what_is_wrong_is_said() {
    for (text, message) in [
        ("capry", "there is no mechanism `capry`"),
        ("dpe:fast", "there is no variant of dpe `fast`"),
        ("dwf:most", "there is no variant of dwf `most`"),
        ("dwf:oldest:most", "there is no variant of dwf `most`"),
        ("dwf:core:cta", "dwf:core:cta chooses its formation_scope twice"),
        ("dws:50:6", "dws:50:6 chooses its subdivision_threshold twice"),
        ("spe:full", "spe has no variants"),
        ("lwm:jumps", "lwm:N takes a number of threads, as in lwm:256; lwm:packed-jumps is another one"),
        ("scs:8", "scs has no variants"),
        ("tbc+lpc", "there is nothing called `lpc` to add to a mechanism"),
        ("tbc++", "there is nothing called `` to add to a mechanism"),
        ("tbc+slp=balance", "there is no permutation `balance`"),
        ("spe+lcp=3", "lcp takes no value"),
        ("spe+lcp+lcp", "lcp is there twice"),
        ("tbc+slp+slp=wid", "slp is there twice"),
        ("tbc+dpe+dpe", "dpe is there twice"),
        ("capri+dpe", "dual paths are for tbc and tbc-plus, not for capri"),
        ("spe+dpe", "dual paths are for tbc and tbc-plus, not for spe"),
        ("tbc+dpe=1", "dpe takes no value"),
        ("tbc+dpe:constrained=1", "dpe takes no value"),
        ("tbc+dpe:optimistic", "there is no variant of tbc+dpe `optimistic`"),
        ("tbc+dpe+dpe:constrained", "dpe is there twice"),
        ("spe+dpe:constrained", "dual paths are for tbc and tbc-plus, not for spe"),
    ] {
        assert_eq!(text.parse::<Composition>().unwrap_err().to_string(), message);
    }
}
