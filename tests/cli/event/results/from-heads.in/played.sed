0,/Result "\*"/s//Result "1-0"/
0,/^\*$/s//1A. e7 1B. e7 1a. e8 {[%resign B]} 1-0/
0,/^1A/!s/^\*$/1A. e13 */
