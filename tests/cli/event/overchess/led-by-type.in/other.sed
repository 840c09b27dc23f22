s/WhiteCommander "[^"]*"/WhiteCommander "Zoe"/
