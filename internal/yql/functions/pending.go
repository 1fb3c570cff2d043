package functions

func matching(pattern Value, whole bool, text Value) (Value, error) {
	return Value{}, errorf(CodeUnsupported, "regular expressions")
}
func validYson([]byte) bool { return true }
