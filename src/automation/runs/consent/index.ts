/** Whether content of a team may go to the model that the operator has set up: nothing does before an administrator has allowed it. */
export { consentRoutes } from './routes.ts';
export { type Allowed, allowedModels } from './service.ts';
