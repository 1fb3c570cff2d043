// Package supervisor keeps a statement going: it starts a job from the newest checkpoint, takes checkpoints while it runs, brings to light what they
// cover, and starts it again when something outside has failed. It decides nothing about what a row means, and how a checkpoint is kept is package
// checkpoint's.
//
// Open supervisor.go first (the life of a statement), then attempt.go (one job and its checkpoints), then backoff.go (when to try again).
package supervisor
