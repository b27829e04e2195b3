/** The toolsets there are, each served by the function `tools/<name>`. */
export const toolsetNames = ['account', 'insights', 'instances', 'images', 'databases', 'dns', 'traffic', 'network'] as const;

export type ToolsetName = (typeof toolsetNames)[number];
