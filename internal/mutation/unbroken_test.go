package mutation

// unbroken says of rows that scripts cover why no mutation breaks them.
var unbroken = map[string]string{}
