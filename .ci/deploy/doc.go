// Package deploy checks the files of folder deploy that speak of metrics: dashboard and alerts. It is a module of its own, so that what it needs of Prometheus is nothing that Tidemark needs.
package deploy
