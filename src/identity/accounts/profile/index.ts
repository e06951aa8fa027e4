/** The profile: name, address, language and notification settings. */
export { cleanTimeZone } from './service.ts';
export { profileRoutes } from './routes.ts';
