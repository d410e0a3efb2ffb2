//! What can be read in a chart.
use super::{Bar, Bars, Lines, Look, Part, Series, Stacks};

fn bars(values: &[Option<f64>]) -> Bars {
    Bars {
        title: "speed".to_string(),
        groups: values.iter().map(|_| "kernel".to_string()).collect(),
        series: vec![Series {
            name: "tbc".to_string(),
            look: Look { mark: "T".to_string(), ..Look::numbered(1) },
            values: values.to_vec(),
        }],
        most: Some(2.0),
        ..Bars::default()
    }
}

fn times(text: &str, label: &str) -> usize {
    text.matches(&format!("\n{label}\n")).count()
}

#[test]
fn a_bar_that_is_cut_off_says_its_length_above_itself() {
    let text = bars(&[Some(1.0), Some(12.34)]).svg();
    assert_eq!(times(&text, "12.3"), 1, "{text}");
    assert!(!text.contains("fill=\"#FFFFFF\" font"), "nothing is written in white: {text}");
    // The number is above the plot, where no bar is.
    let y = |label: &str| {
        let before = text.split(&format!("\n{label}\n")).next().unwrap();
        let place = before.rsplit(" y=\"").next().unwrap();
        place.split('"').next().unwrap().parse::<i32>().unwrap()
    };
    assert!(y("12.3") < y("2.0"), "{text}");
}

#[test]
fn nothing_and_no_value_differ() {
    let count = |values: &[Option<f64>]| {
        let text = bars(values).svg();
        (times(&text, "\u{d7}"), times(&text, "\u{d7} not applicable"), text)
    };
    let (gaps, legend, text) = count(&[Some(1.0), Some(0.0), None]);
    assert_eq!((gaps, legend), (1, 1), "{text}");
    // One at the axis is drawn as 0.0.
    assert_eq!(times(&text, "0"), 1, "{text}");
    assert_eq!(count(&[Some(1.0), Some(0.5)]).1, 0);
}

#[test]
fn marks_stand_below_bars_and_in_the_legend() {
    let look = Look { mark: "Pl".to_string(), ..Look::numbered(2) };
    let stacks = Stacks {
        groups: vec!["a".to_string(), "b".to_string()],
        parts: vec![Part::other("no issue: memory is outstanding".to_string(), 0)],
        bars: vec![Bar { name: "tbc-plus+lcp".to_string(), look, values: vec![Some(vec![1.0]), None] }],
        ..Stacks::default()
    };
    let text = stacks.svg();
    assert_eq!((times(&text, "P"), times(&text, "l"), times(&text, "Pl: tbc-plus+lcp")), (2, 2, 1), "{text}");
    assert_eq!((times(&text, "no issue: memory is outstanding"), times(&text, "\u{d7}")), (1, 1), "{text}");
}

#[test]
fn long_titles_take_several_lines() {
    let title = "a title of many words that no picture is wide enough for, ".repeat(4);
    let text = Bars { title: title.trim().to_string(), ..bars(&[Some(1.0)]) }.svg();
    assert!(!text.contains(title.trim()) && text.contains("\na title of many words"), "{text}");
}

#[test]
fn lines_have_markers_and_the_axis_has_the_sizes() {
    let series = |number, values: &[f64]| Series {
        name: format!("kernel {number}"),
        look: Look::numbered(number),
        values: values.iter().map(|value| Some(*value)).collect(),
    };
    let lines = Lines {
        sizes: vec![3.0, 12.0, 48.0],
        series: vec![series(0, &[1.0, 1.1, 1.2]), series(1, &[1.0, 0.9, 0.8])],
        ..Lines::default()
    };
    let text = lines.svg();
    assert_eq!(["3", "12", "48", "24"].map(|size| times(&text, size)), [1, 1, 1, 0], "{text}");
    // Three points and one in the legend; circles are filled and framed.
    assert_eq!((text.matches("<circle").count(), text.matches("<polygon").count()), (8, 4), "{text}");
    assert!(Lines { sizes: vec![0.0, 2.0], ..lines }.svg().contains("\n0\n"));
}
