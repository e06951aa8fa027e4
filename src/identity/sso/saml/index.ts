/** SAML 2.0: connections, requests, verified responses, metadata in both directions, and certificates. */
export { authenticationRequest } from './authenticate.ts';
export { endingJob, metadataJob, noticeEndings, readMetadataAgain } from './certificate-jobs.ts';
export { recordCertificates } from './certificate-notices.ts';
export { dropRequests, dropResponses } from './queries.ts';
export { samlRoutes } from './routes.ts';
export { completeProvider, type ProviderChange, putSamlSettings, readProvider } from './settings.ts';
