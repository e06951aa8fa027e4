/**
 * The sample data of all examples in the API description. Each resource has one identifier everywhere.
 * A small legal team reviews, approves and signs a non-disclosure agreement with Acme Robotics.
 */
const id = (thing: number): string => `019d2f4e-6a00-7c2b-9a54-${thing.toString(16).padStart(12, '0')}`;

export const desk = {
  team: { id: id(0x01), name: 'Northwind Legal' },
  /** The owner of the team. */
  olivia: { id: id(0x11), firstName: 'Olivia', lastName: 'Berg', email: 'olivia.berg@northwind.example' },
  /** An administrator. */
  marcus: { id: id(0x12), firstName: 'Marcus', lastName: 'Lind', email: 'marcus.lind@northwind.example' },
  /** A member: counsel. */
  priya: { id: id(0x13), firstName: 'Priya', lastName: 'Nair', email: 'priya.nair@northwind.example' },
  /** A viewer, who is first invited. */
  jonas: { id: id(0x14), firstName: 'Jonas', lastName: 'Weber', email: 'jonas.weber@northwind.example' },
  /** A member of the platform staff. */
  operator: { id: id(0x15), email: 'operator@chancery.example', name: 'Robin Sand' },
  session: id(0x21),
  otherSession: id(0x22),
  passkey: id(0x23),
  client: { id: id(0x31), name: 'Contract intake' },
  connection: id(0x32),
  invitation: id(0x33),
  folder: id(0x41),
  archive: id(0x42),
  share: id(0x43),
  emergencyAccess: id(0x44),
  hold: id(0x45),
  document: id(0x51),
  documentTemplate: id(0x53),
  interface: id(0x55),
  submission: id(0x56),
  grant: id(0x52),
  workflow: id(0x61),
  reviewTask: id(0x71),
  approvalTask: id(0x72),
  signatureTask: id(0x73),
  comment: id(0x74),
  workflowComment: id(0x79),
  report: id(0x57),
  booking: id(0x75),
  bookingForm: id(0x76),
  bookedBy: id(0x77),
  webhook: id(0x81),
  delivery: id(0x82),
  attempt: id(0x83),
  event: `evt_${id(0x84).replaceAll('-', '')}`,
  entry: id(0x91),
  registry: id(0xa1),
  record: id(0xa2),
  agent: id(0xb1),
  agentJob: id(0xb2),
  agentRun: id(0xb3),
  agentSkill: id(0xb4),
  agentMcpServer: id(0xb5),
  /** The SHA-256 of the first version of the agreement. */
  sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  /** Tokens of form links. */
  publicToken: 'q3Wk0tXy7uPzR5mNfA2vLcJh8sGdBe1iYoT6xQn4KwU',
  apiToken: 'Zr8bV1nMcX0lKjH6gFdSaQwErTyUiOp5L2k3J4h7G9s',
  /** Credentials; none is real. */
  accessToken: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTlkMmY0ZSJ9.c2lnbmF0dXJl',
  refreshToken: 'fk2n0m7xqz5o4t1cVhYdS8uPZbGw3rLjAeKi6Q9BvXM',
  challenge: id(0x24),
  /** Dates: created, started, decided, due. */
  monday: '2026-03-09T08:30:00.000Z',
  tuesday: '2026-03-10T09:15:00.000Z',
  wednesday: '2026-03-11T14:05:00.000Z',
  friday: '2026-03-13T22:59:59.999Z',
} as const;
