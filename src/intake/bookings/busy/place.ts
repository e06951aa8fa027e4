/** What the address of a calendar file is sealed for. */
export const busyPlace = (id: string): string => `calendar busy ${id}`;
