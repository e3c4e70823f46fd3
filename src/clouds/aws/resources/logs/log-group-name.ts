/** The log group of all functions of a stage. Names of log groups differ by case, as those of stages do. */
export function logGroupName(app: string, stage: string): string {
  return `/scrim/${app}/${stage}`;
}
