// What goes over the wire, in the names of internal/server/api.
export type * from './api.gen.ts'
