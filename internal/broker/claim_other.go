//go:build !unix

package broker

import "os"

// claim opens the folder. Here nothing keeps a second process out.
func claim(dir string) (*os.File, error) { return openLock(dir) }
