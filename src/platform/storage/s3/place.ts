/** A bucket of an S3-compatible store, from `STORAGE_URL`. */
export type S3Place = {
  /** The URL of the store, without a path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** The prefix of all keys: empty, or ending in `/`. */
  prefix: string;
  /** Whether the bucket is in the path instead of the host name. */
  pathStyle: boolean;
};

const form = 's3://bucket/prefix?endpoint=https://host&region=name&pathStyle=true, without credentials';
const parameters = ['endpoint', 'region', 'pathStyle'];

/** Parses an `s3:` URL. Throws with the expected form if it is invalid. */
export function readS3Place(value: string): S3Place {
  const wrong = new Error(`must look like ${form}`);
  if (!URL.canParse(value)) throw wrong;
  const { protocol, host, hostname, pathname, username, password, hash, searchParams } = new URL(value);
  if (protocol !== 's3:' || host !== hostname || username !== '' || password !== '' || hash !== '') throw wrong;
  // Characters that stores and signatures encode differently are not allowed in a prefix.
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(hostname) || !/^(\/[\w.-]+)*\/?$/.test(pathname) || /\/\.{1,2}(\/|$)/.test(pathname))
    throw wrong;
  if ([...searchParams.keys()].some((name, at, all) => !parameters.includes(name) || all.indexOf(name) !== at)) throw wrong;
  const [region, endpoint, style] = [
    searchParams.get('region') ?? 'us-east-1',
    searchParams.get('endpoint'),
    searchParams.get('pathStyle'),
  ];
  if (!/^[a-z\d-]{1,64}$/.test(region) || (style !== null && style !== 'true' && style !== 'false')) throw wrong;
  const prefix = pathname.replaceAll(/^\/|\/$/g, '');
  return {
    endpoint: endpoint === null ? `https://s3.${region}.amazonaws.com` : originOf(endpoint),
    region,
    bucket: hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    // Self-hosted stores seldom have a host name per bucket.
    pathStyle: style === null ? endpoint !== null : style === 'true',
  };
}

function originOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error('must have an endpoint that is an http or https URL without a path, such as endpoint=https://s3.example.com');
  return url.origin;
}
