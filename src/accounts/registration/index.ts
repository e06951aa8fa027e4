/** Registering: the proof of work, the confirmed address, the new account and its team. */
export { createChallenge } from './altcha.ts';
export { registrationCookie, setRegistrationCookie } from './cookies.ts';
export { accountExists, dropRegistrations, enrol } from './enrol.ts';
export { checkPerson, cleanPersonName, emailOf, refused, register, resendVerification } from './register.ts';
export { verifyEmail } from './verify-email.ts';
