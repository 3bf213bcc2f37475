/** In place of the SDK's endpoint discovery, which DynamoDB needs only where it is asked for, and here it is not. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

export const resolveEndpointDiscoveryConfig = <T>(config: T): T => config;
