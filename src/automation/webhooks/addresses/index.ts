/** Where requests may go: URLs, addresses, ports and names, and connections that hold to it. */
export { type AddressPolicy, createAddressPolicy } from './addresses.ts';
export { type GuardedFetch, createGuardedFetch } from './guarded-fetch.ts';
export { type GuardedStream, createGuardedStream } from './guarded-stream.ts';
export { createResolver, createTextLookup } from './resolver.ts';
export { checkEndpointUrl } from './urls.ts';
