/** Requests for signatures: who is asked to sign a document, what they did, and what proves it. */
export { type Requests, linkPurpose, sealedLinks, type Working } from './context.ts';
export { dropSessions, expiries, reminders } from './due-jobs.ts';
export { evidenceSigner } from './evidence.ts';
export { type SigningForPages, signingForPages } from './for-pages.ts';
export { proofsOfRequest, type RequestInWhole, requestInWhole, requestsAbout } from './in-whole.ts';
export { leaverListener, onRequestEnded, type RequestEnded } from './listeners.ts';
export { pauseRequest, voidRequest } from './manage.ts';
export { prepareJob } from './prepare-job.ts';
export { publicRoutes } from './public-routes.ts';
export type { Locked, Signing } from './public-schemas.ts';
export { mayAsk as mayAskToSign } from './right.ts';
export { requestRoutes } from './routes.ts';
export type { CreateRequest, RequestInFull } from './schemas.ts';
export { createBody as requestBody } from './schemas.ts';
export { sealJob } from './seal-job.ts';
export { requestOf, requestSignature, requestState } from './service.ts';
export { requestTables } from './tables.ts';
export { tellJob } from './tell-job.ts';
