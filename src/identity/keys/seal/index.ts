/** The authority of the service's own seals, its certificates and what it takes back. */
export { pemOf, sealRoutes } from './routes.ts';
export { activeSeal, publishedSeals, renewSeal, sealedSealKeys, type SealSettings } from './seal-keys.ts';
