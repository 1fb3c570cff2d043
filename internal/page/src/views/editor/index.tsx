/** Editor is where statements are written. */
export function Editor() {
  return <h1>New statement</h1>
}
