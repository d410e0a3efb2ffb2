use super::*;

/// Rhu 2014, Fig 4.7: three warps of four lanes, of which the first goes to one side, the others to both.
#[test]
fn warps_of_a_branch() {
    let branch = Branch::new(0, false, [&[0, 1, 2, 3, 8, 9], &[4, 5, 6, 7, 10, 11]], 4);
    assert_eq!(branch.diverging, [false, false, true]);
    assert_eq!(branch.sides, [Shape { apart: 2, compacted: 2, ideal: 2 }; 2]);
    assert_eq!(branch.should_stall, [false; 3], "nothing to be gained");

    // Warps 1 and 2 fit together on both sides; warp 0 need not wait.
    let branch = Branch::new(0, false, [&[0, 1, 2, 3, 4, 5, 10, 11], &[6, 7, 8, 9]], 4);
    assert_eq!(branch.sides, [Shape { apart: 3, compacted: 2, ideal: 2 }, Shape { apart: 2, compacted: 1, ideal: 1 }]);
    assert_eq!(branch.should_stall, [false, true, true]);
}

#[test]
fn shapes_by_permutation() {
    let odd: Vec<u32> = (0..16).filter(|thread| thread % 2 == 1).collect();
    assert_eq!(Shape::new(&odd, 4, Permutation::None), Shape { apart: 4, compacted: 4, ideal: 2 });
    assert_eq!(Shape::new(&odd, 4, Permutation::Balanced).compacted, 2);
}
