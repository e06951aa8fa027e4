/** Registration: proof of work, confirmation of the address, the new account and its team. */
export { createTeamByOperator, type TeamByOperator, type TeamDraft } from './by-operator.ts';
export { accountExists, dropRegistrations, enrol } from './enrol.ts';
export { changeManagedPerson, provisionMember, type Provisioned } from './provision.ts';
export { checkPerson, cleanPersonName, emailOf, refused } from './register.ts';
export { registrationRoutes } from './routes.ts';
