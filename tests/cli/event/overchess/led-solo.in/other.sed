s/WhiteCommander "[^"]*"/WhiteCommander "Zoe"/
s/\[White "Ann%3A the elder"/[White "Zoe"/
