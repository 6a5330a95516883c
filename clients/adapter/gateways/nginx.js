/** Gives auth_request 204 for a person's token with the scope, 401 or 403 for others, and 500 if it cannot know. */
async function check(r) {
  const found = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(r.headersIn.Authorization || '')
  if (!found) return r.return(401)
  const answer = await r.subrequest('/_introspect', { method: 'POST', body: 'token=' + encodeURIComponent(found[1]) })
  if (answer.status !== 200) return r.return(500)
  const token = JSON.parse(answer.responseText)
  if (token.active !== true || token.cnf) return r.return(401)
  if (!token.scope.split(' ').includes(r.variables.scope)) return r.return(403)
  // A machine has no identity data.
  if (!token.family_name) return r.return(401)
  r.headersOut['X-Sub'] = token.sub
  r.return(204)
}

export default { check }
