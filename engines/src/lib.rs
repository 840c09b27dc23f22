//! Many games: who plays them, how they are kept, and what they tell.
