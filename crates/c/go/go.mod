module lthash

go 1.24
