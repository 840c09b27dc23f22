//! The models by cases made by hand, and by counts that do not come from this project.

mod models {
    mod linked;
    mod mega;
    mod metachess;
    mod olympic;
    mod overchess;
    mod strategichess;

    /// The fields of the rows of a list, without its remarks.
    fn rows(list: &str) -> impl Iterator<Item = Vec<&str>> {
        let lines = list.lines();
        let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        rows.map(|line| line.split('\t').collect())
    }

    /// Asserts that counts of lines, each with the ply that begins them, are those of all plies and add up to this.
    fn assert_divided(counts: &[(String, u64)], plies: &[String], lines: u64) {
        let begun: Vec<_> = counts.iter().map(|(ply, _)| ply.clone()).collect();
        assert_eq!(begun, plies);
        assert_eq!(counts.iter().map(|(_, lines)| lines).sum::<u64>(), lines);
    }
}
