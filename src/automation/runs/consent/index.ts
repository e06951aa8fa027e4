/** The consent of a team to send content to the configured model. No content goes there before an administrator allows it. */
export { consentRoutes } from './routes.ts';
export { type Allowed, allowedModels } from './service.ts';
