/** The figures of one scenario, and whether they meet its aim. */
export type Result = { scenario: string; figures: Record<string, number>; aim: string; met: boolean };
