/** The values of `target_session_attrs` that require a server that accepts writes. */
const writable = new Set([null, 'read-write', 'primary']);

/** Maximum number of hosts. The service tries them one after the other, each until the connection timeout. */
const maxHosts = 8;

/**
 * Returns one URL per host of a PostgreSQL URL. Like libpq it accepts several hosts before the path, `host1:5432,host2:5433`, or in the
 * parameters, `?host=/folder1,/folder2&port=5432`. Throws an error without the URL if a part is not a URL.
 */
export function urlPerHost(url: string): string[] {
  const [, start = '', authority, path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)\??([^#]*)$/.exec(url) ?? [];
  if (authority === undefined) throw new Error('must look like postgres://user:password@host:5432/database');
  const parameters = new URLSearchParams(query);
  if (!writable.has(parameters.get('target_session_attrs')))
    throw new Error('may set target_session_attrs only to read-write or primary, because the service needs a server that accepts writes');
  const urls = (parameters.get('host') ?? '').includes(',')
    ? hostsOfParameters(parameters).map((own) => `${start}${authority}${path}?${own.toString()}`)
    : authority.split(',').map((host) => `${start}${host}${path}${query && `?${query}`}`);
  if (urls.length > maxHosts) throw new Error(`may name at most ${maxHosts} hosts`);
  if (!urls.every((one) => URL.canParse(one))) throw new Error('must look like postgres://user:password@host:5432/database');
  return urls;
}

function hostsOfParameters(parameters: URLSearchParams): URLSearchParams[] {
  const hosts = (parameters.get('host') ?? '').split(',');
  const ports = parameters.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length) throw new Error('must name one port, or one for each host');
  return hosts.map((host, at) => {
    const own = new URLSearchParams(parameters);
    own.set('host', host);
    const port = ports[at] ?? ports[0];
    if (port !== undefined) own.set('port', port);
    return own;
  });
}
