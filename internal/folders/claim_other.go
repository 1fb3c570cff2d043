//go:build !unix

package folders

import "github.com/tidemark-sql/tidemark/internal/fault"

// Claim opens a folder, which is made if it is not there. Here nothing keeps a second process out.
func Claim(dir, what string) (*Claimed, error) {
	f, err := open(dir)
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	return &Claimed{f}, nil
}
