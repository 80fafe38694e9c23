package lthash

import (
	"fmt"
	"sync"
)

// ModuleFunc returns the module that a key belongs to.
type ModuleFunc func(physicalKey []byte) (module string, err error)

// DBPairs is what one database changed.
type DBPairs struct {
	Dir   string
	Pairs []KVPairWithLastValue
}

// ModuleKey names a module of a database.
type ModuleKey struct {
	Dir    string
	Module string
}

// ModuleStats counts the keys of a module, and the bytes of its keys and values.
type ModuleStats struct {
	KeyCount int64
	Bytes    int64
}

// Add returns the sum.
func (s ModuleStats) Add(other ModuleStats) ModuleStats {
	return ModuleStats{s.KeyCount + other.KeyCount, s.Bytes + other.Bytes}
}

// Sub returns the difference.
func (s ModuleStats) Sub(other ModuleStats) ModuleStats {
	return ModuleStats{s.KeyCount - other.KeyCount, s.Bytes - other.Bytes}
}

// ModuleHashInfo is by how much a changeset changes a module: the hash of the records added less those removed, and the
// numbers of keys and of bytes.
type ModuleHashInfo struct {
	Hash     *LtHash
	KeyCount int64
	Bytes    int64
}

// Result holds the hashes after a changeset.
type Result struct {
	PerDB          map[string]*LtHash
	PerModule      map[string]map[string]*LtHash
	PerModuleStats map[string]map[string]ModuleStats
	Global         *LtHash
}

// HashCalculator computes the hashes of a store of several databases, whose keys belong to modules: one a module, their sum a
// database, and the sum of all. Its methods may be called by several goroutines at a time; each computes in up to
// [DefaultLtHashWorkers] of its own.
type HashCalculator struct {
	dbDirs   []string
	moduleOf ModuleFunc
}

// NewHashCalculator returns a calculator for the databases of these names, whose keys belong to the modules that moduleOf
// returns. It calls moduleOf from the goroutine of its caller.
func NewHashCalculator(dbDirs []string, moduleOf ModuleFunc) *HashCalculator {
	return &HashCalculator{append([]string(nil), dbDirs...), moduleOf}
}

// Compute applies changesets to hashes, and returns all hashes: those of before are not changed, and none is shared. It fails
// if moduleOf does, or if a database is not the calculator's.
func (c *HashCalculator) Compute(
	pairSets []DBPairs,
	prevPerDB map[string]*LtHash,
	prevPerModule map[string]map[string]*LtHash,
	prevPerModuleStats map[string]map[string]ModuleStats,
) (*Result, error) {
	result := &Result{
		PerDB:          make(map[string]*LtHash, len(c.dbDirs)),
		PerModule:      make(map[string]map[string]*LtHash, len(c.dbDirs)),
		PerModuleStats: make(map[string]map[string]ModuleStats, len(c.dbDirs)),
		Global:         New(),
	}
	for _, dir := range c.dbDirs {
		hashes := make(map[string]*LtHash, len(prevPerModule[dir]))
		for module, hash := range prevPerModule[dir] {
			if hash != nil {
				hashes[module] = hash.Clone()
			}
		}
		stats := make(map[string]ModuleStats, len(prevPerModuleStats[dir]))
		for module, counts := range prevPerModuleStats[dir] {
			stats[module] = counts
		}
		result.PerModule[dir], result.PerModuleStats[dir] = hashes, stats
		result.PerDB[dir] = New()
		if hash := prevPerDB[dir]; hash != nil {
			*result.PerDB[dir] = *hash
		}
	}
	deltas, err := c.ComputeModuleHashInfos(pairSets)
	if err != nil {
		return nil, err
	}
	for key, delta := range deltas {
		hashes := result.PerModule[key.Dir]
		if hashes == nil {
			return nil, fmt.Errorf("lthash: a changeset of database %q, which the calculator does not know", key.Dir)
		}
		if hashes[key.Module] == nil {
			hashes[key.Module] = New()
		}
		hashes[key.Module].MixIn(delta.Hash)
		stats := result.PerModuleStats[key.Dir]
		stats[key.Module] = stats[key.Module].Add(ModuleStats{delta.KeyCount, delta.Bytes})
	}
	for key := range deltas {
		result.PerDB[key.Dir] = nil
	}
	for _, dir := range c.dbDirs {
		if result.PerDB[dir] == nil {
			result.PerDB[dir] = SumModuleHashes(result.PerModule[dir])
		}
		result.Global.MixIn(result.PerDB[dir])
	}
	return result, nil
}

// ComputeModuleHashInfos returns by how much changesets change each module that they touch. It fails if moduleOf does.
func (c *HashCalculator) ComputeModuleHashInfos(pairSets []DBPairs) (map[ModuleKey]*ModuleHashInfo, error) {
	infos := make(map[ModuleKey]*ModuleHashInfo)
	var tasks []task
	total := 0
	for _, set := range pairSets {
		modules, err := BucketByModule(set.Pairs, c.moduleOf)
		if err != nil {
			return nil, fmt.Errorf("lthash: a key of database %q: %w", set.Dir, err)
		}
		for module, pairs := range modules {
			key := ModuleKey{set.Dir, module}
			if infos[key] == nil {
				infos[key] = &ModuleHashInfo{Hash: New()}
			}
			for _, part := range split(pairs, max(1, len(pairs)/minPairsPerWorker)) {
				tasks = append(tasks, task{infos[key], part})
			}
		}
		total += len(set.Pairs)
	}
	run(tasks, min(DefaultLtHashWorkers, total/minPairsPerWorker, len(tasks)))
	return infos, nil
}

// task is a part of what changes a module.
type task struct {
	info  *ModuleHashInfo
	pairs []KVPairWithLastValue
}

// run carries tasks out, in so many goroutines if that is more than one.
func run(tasks []task, workers int) {
	var timings LtHashTimings
	if workers <= 1 {
		for _, task := range tasks {
			task.info.add(fold(task.info.Hash, task.pairs, &timings))
		}
		return
	}
	queue := make(chan task, len(tasks))
	for _, task := range tasks {
		queue <- task
	}
	close(queue)
	var group sync.WaitGroup
	var mutex sync.Mutex
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			var delta LtHash
			var timings LtHashTimings
			for task := range queue {
				delta.Reset()
				change := fold(&delta, task.pairs, &timings)
				mutex.Lock()
				task.info.Hash.MixIn(&delta)
				task.info.add(change)
				mutex.Unlock()
			}
		}()
	}
	group.Wait()
}

func (i *ModuleHashInfo) add(change ModuleStats) {
	i.KeyCount += change.KeyCount
	i.Bytes += change.Bytes
}

// BucketByModule returns the pairs of each module. It fails if moduleOf does.
func BucketByModule(pairs []KVPairWithLastValue, moduleOf ModuleFunc) (map[string][]KVPairWithLastValue, error) {
	modules := make(map[string][]KVPairWithLastValue)
	for _, pair := range pairs {
		module, err := moduleOf(pair.Key)
		if err != nil {
			return nil, err
		}
		modules[module] = append(modules[module], pair)
	}
	return modules, nil
}

// SumModuleHashes returns the sum of a database's modules' hashes, which is the database's.
func SumModuleHashes(moduleHashes map[string]*LtHash) *LtHash {
	sum := New()
	for _, hash := range moduleHashes {
		sum.MixIn(hash)
	}
	return sum
}
