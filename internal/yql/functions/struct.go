package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	paramStruct = param{name: "struct", accept: acceptStruct}
	paramName   = param{name: "name", accept: acceptText}
)

// structFunctions make Structs and Tuples, and other Structs of Structs.
var structFunctions = []Function{
	{
		Name: "AsStruct", Signature: "AsStruct(value AS name, …)",
		Doc:     "A Struct of the values, ordered by the names of its members.",
		Example: "AsStruct(1 AS b, 2 AS a).b", Result: "1",
		rest: &acceptValue, names: true,
		apply: func(c *invocation) (Value, error) {
			members := make([]Named, len(c.args))
			for i, v := range c.args {
				members[i] = Named{c.rest[i], v}
			}
			return Struct(members)
		},
	},
	{
		Name: "AsTuple", Signature: "AsTuple(value, …)",
		Doc:     "A Tuple of the values.",
		Example: `AsTuple(1, "tide").1`, Result: "tide",
		rest:  &acceptValue,
		apply: func(c *invocation) (Value, error) { return Tuple(c.args) },
	},
	{
		Name: "AddMember", Signature: "AddMember(struct, name, value)",
		Doc:     "The Struct with one more member.",
		Example: `AddMember(AsStruct(1 AS a), "b", 2).b`, Result: "2",
		params: []param{paramStruct, paramName, {name: "value", accept: acceptValue}},
		apply: func(c *invocation) (Value, error) {
			return remade(c, func(members []Named, name string) ([]Named, error) {
				if c.args[0].Type.Member(name) >= 0 {
					return nil, hintf(CodeValue, "write ReplaceMember", "the Struct has a member %s already", name)
				}
				return append(members, Named{name, c.args[2]}), nil
			})
		},
	},
	{
		Name: "ReplaceMember", Signature: "ReplaceMember(struct, name, value)",
		Doc:     "The Struct with another value of a member.",
		Example: `ReplaceMember(AsStruct(1 AS a), "a", 2).a`, Result: "2",
		params: []param{paramStruct, paramName, {name: "value", accept: acceptValue}},
		apply: func(c *invocation) (Value, error) {
			return remade(c, func(members []Named, name string) ([]Named, error) {
				if _, err := Member(c.args[0], name); err != nil {
					return nil, err
				}
				members[c.args[0].Type.Member(name)].Value = c.args[2]
				return members, nil
			})
		},
	},
	{
		Name: "RemoveMember", Signature: "RemoveMember(struct, name)",
		Doc:     "The Struct without a member that it has.",
		Example: `RemoveMember(AsStruct(1 AS a, 2 AS b), "b").a`, Result: "1",
		params: []param{paramStruct, paramName},
		apply: func(c *invocation) (Value, error) {
			return remade(c, func(members []Named, name string) ([]Named, error) {
				if _, err := Member(c.args[0], name); err != nil {
					return nil, err
				}
				at := c.args[0].Type.Member(name)
				return slices.Delete(members, at, at+1), nil
			})
		},
	},
	{
		Name: "ForceRemoveMember", Signature: "ForceRemoveMember(struct, name)",
		Doc:     "The Struct without a member, whether it has it or not.",
		Example: `ForceRemoveMember(AsStruct(1 AS a), "b").a`, Result: "1",
		params: []param{paramStruct, paramName},
		apply: func(c *invocation) (Value, error) {
			return remade(c, func(members []Named, name string) ([]Named, error) {
				return slices.DeleteFunc(members, func(m Named) bool { return m.Name == name }), nil
			})
		},
	},
	{
		Name: "TryMember", Signature: "TryMember(struct, name, default)",
		Doc:     "A member of the Struct, or the default if it has none of the name.",
		Example: `TryMember(AsStruct(1 AS a), "b", 7)`, Result: "7",
		params: []param{paramStruct, paramName, {name: "default", accept: acceptValue}},
		apply: func(c *invocation) (Value, error) {
			name, err := constantName(c.args[1])
			if err != nil {
				return Value{}, err
			}
			if c.args[0].Type.Member(name) < 0 {
				return c.args[2], nil
			}
			return Member(c.args[0], name)
		},
	},
	{
		Name: "CombineMembers", Signature: "CombineMembers(struct, …)",
		Doc:     "The members of all Structs in one.",
		Example: "CombineMembers(AsStruct(1 AS a), AsStruct(2 AS b)).b", Result: "2",
		params: []param{paramStruct}, rest: &acceptStruct,
		apply: func(c *invocation) (Value, error) {
			var all []Named
			for _, v := range c.args {
				all = append(all, Members(v)...)
			}
			return Struct(all)
		},
	},
	{
		Name: "StructMembers", Signature: "StructMembers(struct)",
		Doc:     "The names of the members in their order.",
		Example: "ListHead(StructMembers(AsStruct(1 AS b, 2 AS a)))", Result: "a",
		params: []param{paramStruct},
		apply: func(c *invocation) (Value, error) {
			var names []Value
			for _, m := range c.args[0].Type.Members() {
				names = append(names, String(m.Name))
			}
			return List(names)
		},
	},
	{
		Name: "ChooseMembers", Signature: "ChooseMembers(struct, names)",
		Doc:     "The Struct of the members with the names in a List.",
		Example: `ChooseMembers(AsStruct(1 AS a, 2 AS b), AsList("b")).b`, Result: "2",
		params: []param{paramStruct, {name: "names", accept: acceptList}},
		apply:  func(c *invocation) (Value, error) { return chosen(c, true) },
	},
	{
		Name: "RemoveMembers", Signature: "RemoveMembers(struct, names)",
		Doc:     "The Struct without the members with the names in a List.",
		Example: `RemoveMembers(AsStruct(1 AS a, 2 AS b), AsList("b")).a`, Result: "1",
		params: []param{paramStruct, {name: "names", accept: acceptList}},
		apply:  func(c *invocation) (Value, error) { return chosen(c, false) },
	},
}

// constantName is the name of a member.
func constantName(v Value) (string, error) {
	l := constant(v)
	if l == nil || l.IsNull() {
		return "", about(1, errorf(CodeValue, "the name of a member has to be a constant"))
	}
	return string(l.Value().Bytes(0)), nil
}

// remade makes another Struct of the members of one.
func remade(c *invocation, change func(members []Named, name string) ([]Named, error)) (Value, error) {
	name, err := constantName(c.args[1])
	if err != nil {
		return Value{}, err
	}
	return nullWith(c.args[0], func(v Value) (Value, error) {
		members, err := change(Members(v), name)
		if err != nil {
			return Value{}, err
		}
		return Struct(members)
	})
}

// chosen makes a Struct of the members whose names are in a constant List, or are not.
func chosen(c *invocation, wanted bool) (Value, error) {
	names, ok := constantTexts(c.args[1])
	if !ok {
		return Value{}, about(1, errorf(CodeValue, "the names of the members have to be a constant List of strings"))
	}
	return nullWith(c.args[0], func(v Value) (Value, error) {
		return Struct(slices.DeleteFunc(Members(v), func(m Named) bool { return slices.Contains(names, m.Name) != wanted }))
	})
}

// constantTexts are the strings of a constant List.
func constantTexts(v Value) ([]string, bool) {
	l := constant(v)
	if l == nil || l.IsNull() || v.Type.Kind != yqltype.EmptyList && !v.Type.Elem().IsText() {
		return nil, false
	}
	return listedTexts(l.Value().Bytes(0)), true
}
