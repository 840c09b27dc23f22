s/^\[Result "\*"\]/[Result "0-1"]/
s|^\*$|1. e4 d5 2. exd5 <d5: 0-1> (2. exd5 <d5: 1-0>) 2... e6 {[%resign W]} 0-1|
