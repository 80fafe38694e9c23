package lthash_test

import (
	"fmt"
	"strings"

	"lthash"
)

func Example() {
	set := lthash.New()
	set.Insert([]byte("alice"))
	set.Insert([]byte("bob"))
	set.Remove([]byte("alice"))
	fmt.Println(set.Equal(lthash.Of([]byte("bob"))))
	fmt.Printf("%x\n", lthash.New().Checksum())
	// Output:
	// true
	// be2a8de3dcf46c94ce85cdc8e07ac308f4d8a95490d956c38d780fd610db0813
}

func ExampleComputeLtHash() {
	state, _ := lthash.ComputeLtHash(nil, []lthash.KVPairWithLastValue{
		{Key: []byte("alice"), Value: []byte("100")},
		{Key: []byte("bob"), Value: []byte("50")},
	})
	state, _ = lthash.ComputeLtHash(state, []lthash.KVPairWithLastValue{
		{Key: []byte("alice"), Value: []byte("90"), LastValue: []byte("100")},
		{Key: []byte("bob"), LastValue: []byte("50"), Delete: true},
	})
	anew, _ := lthash.ComputeLtHash(nil, []lthash.KVPairWithLastValue{
		{Key: []byte("alice"), Value: []byte("90")},
	})
	fmt.Println(state.Equal(anew))
	// Output: true
}

func ExampleHashCalculator() {
	moduleOf := func(key []byte) (string, error) {
		module, _, _ := strings.Cut(string(key), "/")
		return module, nil
	}
	calculator := lthash.NewHashCalculator([]string{"accounts", "storage"}, moduleOf)
	result, err := calculator.Compute([]lthash.DBPairs{
		{Dir: "accounts", Pairs: []lthash.KVPairWithLastValue{{Key: []byte("bank/alice"), Value: []byte("100")}}},
		{Dir: "storage", Pairs: []lthash.KVPairWithLastValue{{Key: []byte("evm/slot"), Value: []byte("7")}}},
	}, nil, nil, nil)
	if err != nil {
		panic(err)
	}
	sum := result.PerModule["accounts"]["bank"].Clone()
	sum.MixIn(result.PerModule["storage"]["evm"])
	fmt.Println(sum.Equal(result.Global), result.PerModuleStats["storage"]["evm"])
	// Output: true {1 9}
}

func ExampleUnmarshal() {
	stored := lthash.Of([]byte("alice")).Marshal()
	hash, err := lthash.Unmarshal(stored)
	fmt.Println(hash.Equal(lthash.Of([]byte("alice"))), err)
	_, err = lthash.Unmarshal(stored[:100])
	fmt.Println(err)
	// Output:
	// true <nil>
	// lthash: a hash of 100 bytes: expected 2048
}
