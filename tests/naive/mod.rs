//! A naive second implementation, written from the rules pages alone, to judge the real one by. Those of the other
//! games stand beside it.

pub mod strategichess;
