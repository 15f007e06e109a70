// The door to all that teaches: its file is sent for when somebody first wants to learn something.

export const teaching = async () => (await import('./all.js')).teach;
