/** Rules for outgoing requests: URLs, addresses, ports and names, and connections that enforce them. */
export { type AddressPolicy, createAddressPolicy } from './addresses.ts';
export { type GuardedFetch, createGuardedFetch } from './guarded-fetch.ts';
export { type GuardedStream, createGuardedStream } from './guarded-stream.ts';
export { createResolver, createTextLookup } from './resolver.ts';
export { checkEndpointUrl } from './urls.ts';
