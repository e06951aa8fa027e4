/** Who one is: name, address, language, and which mails one gets. */
export { requestEmailChange } from './email-change.ts';
export { getNotifications, updateNotifications } from './notifications.ts';
export { cleanTimeZone, getProfile, updateProfile } from './service.ts';
