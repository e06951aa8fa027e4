/** Who one is: name, address, language, and which mails one gets. */
export { cleanTimeZone } from './service.ts';
export { profileRoutes } from './routes.ts';
