/** Registering: the proof of work, the confirmed address, the new account and its team. */
export { accountExists, dropRegistrations, enrol } from './enrol.ts';
export { checkPerson, cleanPersonName, emailOf, refused } from './register.ts';
export { registrationRoutes } from './routes.ts';
