/** The authority of the service’s seals, with its certificates and revocations. */
export { pemOf, sealRoutes } from './routes.ts';
export { activeSeal, publishedSeals, renewSeal, sealedSealKeys, type SealSettings } from './seal-keys.ts';
