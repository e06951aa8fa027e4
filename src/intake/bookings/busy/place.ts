/** The context to which the encrypted address of a calendar file is bound. */
export const busyPlace = (id: string): string => `calendar busy ${id}`;
