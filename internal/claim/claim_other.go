//go:build !unix

package claim

import "github.com/tidemark-sql/tidemark/internal/fault"

// Folder opens a folder, which is made if it is not there. Here nothing keeps a second process out.
func Folder(dir, what string) (*Claim, error) {
	f, err := open(dir)
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	return &Claim{f}, nil
}
