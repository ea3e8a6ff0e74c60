//! The program itself: its words, its answers, its handbook.

mod answers;
mod complete;
mod handbook;
mod itself;
