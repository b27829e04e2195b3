/**
 * What the emulator takes for true without proof: wordings and rules that neither the platform's OpenAPI document nor its
 * public clients show. They stand here alone so that one edit changes them once the truth is known.
 */

/** Refusals whose exact text is not known. */
export const messages = {
  malformedJson: 'The request body is not valid JSON.',
  notAnObject: 'The request body must be a JSON object.',
  tooDeep: 'The request body is nested too deeply.',
  notUtf8: 'The request body is not valid UTF-8.',
  notJson: 'The request body must be JSON: send it with the content type application/json.',
  pageInvalid: 'page must be a number greater than or equal to 1.',
  perPageInvalid: 'per_page must be a number between 1 and 200.',
  keyInvalid: 'Key invalid, key should be of the format `type key` or `type key comment`',
  hostname: 'Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)',
  sizeInvalid: 'You specified an invalid size for Droplet creation.',
  sizeNotInRegion: 'Size is not available in this region.',
  regionInvalid: 'You specified an invalid region for Droplet creation.',
  regionUnavailable: 'The region you specified is not available.',
  diskTooSmall: 'The image you specified requires a larger disk than the size you selected provides.',
  imageNotReady: 'The image you specified is not available yet.',
  tooManyNames: 'You can create at most 10 Droplets at once.',
  volumesUnknown: 'One or more volumes could not be found.',
  userDataTooLong: 'User data must be at most 64 KiB.',
  vpcUnknown: 'The VPC you specified could not be found in the selected region.',
  vpcFull: 'The VPC you specified has no free addresses.',
  alreadyOn: 'Droplet is already powered on.',
  alreadyOff: 'Droplet is already powered off.',
  currentlyOff: 'Droplet is currently powered off.',
  resizeWhileOn: 'Droplet must be powered off before resizing.',
  sameSize: 'This size is not available because it is the same size as the Droplet',
  snapshotName: 'You must specify a name for the snapshot.',
  restoreForeign: 'The image you specified is not a backup or snapshot of this Droplet.',
  backupsOn: 'Backups are already enabled',
  backupsOff: 'Backups are already disabled',
  policyRequired: 'You must specify a backup policy.',
  ipv6On: 'IPv6 is already enabled',
  privateNetworkingOn: 'Private networking is already enabled',
  internalKernel: 'This Droplet uses an internally managed kernel that can not be changed.',
  kernelUnknown: 'You specified an invalid kernel for this Droplet.',
  actionUnknown: 'The action type you specified is not supported.',
  actionNotByTag: 'The action type you specified is not supported for Droplets selected by tag.',
  tagRequired: 'You must specify a tag name.',
  publicImage: 'You do not have access to modify this image.',
  imageInTransfer: 'Image already has a pending event.',
  imageInRegion: 'This image is already available in that region.',
  imageNotTransferable: 'Only images that are available can be transferred.',
  convertOnlyBackups: 'Only backups can be converted to snapshots.',
  importUnreachable: 'The image could not be downloaded: the host could not be reached.',
  importNotAnImage: 'The file at the URL is not a disk image in the raw, qcow2, vhdx, vdi or vmdk format.',
  tagName: 'Tag names may contain letters, numbers, colons, dashes, and underscores, and have at most 255 characters.',
  vpcName: 'VPC names must be unique and may only contain alphanumeric characters, dashes, and periods.',
  vpcDescription: 'VPC descriptions have at most 255 characters.',
  vpcRange: 'The range must be a private IPv4 network in CIDR notation between /16 and /28.',
  vpcOverlap: 'This range/size overlaps with another VPC network in your account',
  vpcDefault: 'Can not delete the default VPC of a region',
} as const;

/** How long an action takes, in seconds at speed 1. */
export const actionSeconds = {
  create: 45,
  power_on: 5,
  power_off: 5,
  shutdown: 10,
  reboot: 15,
  power_cycle: 15,
  password_reset: 10,
  rename: 1,
  enable_ipv6: 5,
  enable_private_networking: 5,
  enable_backups: 3,
  disable_backups: 3,
  change_backup_policy: 3,
  change_kernel: 5,
  resize: 40,
  snapshot: 60,
  rebuild: 45,
  restore: 60,
  transfer: 60,
  convert: 5,
  importStart: 5,
  importRest: 120,
  lets_encrypt: 60,
  firewall: 5,
  load_balancer: 60,
  load_balancer_update: 3,
  reserve_ip: 3,
  assign_ip: 5,
  unassign_ip: 5,
  vpcPeeringCreate: 30,
  vpcPeeringDelete: 30,
  byoipValidate: 60,
  byoipAdvertise: 30,
  byoipDelete: 30,
  databaseCreate: 240,
  databaseFork: 300,
  databaseResize: 180,
  databaseUpgrade: 300,
  databaseMigrationCopy: 120,
  databaseMigrationSync: 180,
  topicConfigure: 10,
  topicDelete: 5,
} as const;

/** The plan of backups that are enabled without naming one. The platform's texts disagree; its product pages sell weekly backups. */
export const defaultBackupPlan = 'weekly';
/** How many backups each plan keeps, for how many days, and how long its window is. */
export const backupPlans = {
  daily: { keep: 7, retentionDays: 7 },
  weekly: { keep: 4, retentionDays: 28 },
} as const;
export const backupWindowHours = 4;

/** The region of an instance created without one. */
export const defaultRegion = 'nyc3';
/** Instances created by one request. */
export const maxNames = 10;
export const maxUserDataBytes = 64 * 1024;
/** The hours after an invoice at which the account's card pays it. */
export const paymentDelayHours = 6;

/** Refusals of what belongs to networks, and of monitoring, whose exact text is not known. */
export const networkMessages = {
  ipPlace: 'You must specify either a region or a Droplet.',
  ipLimit: 'Reserving this IP will exceed your reserved IP limit',
  ipsExhausted: 'There are no reserved IPs left in this region.',
  ipOtherRegion: 'The reserved IP and the Droplet must be in the same region.',
  ipDropletUnknown: 'The Droplet you specified could not be found.',
  ipDropletNew: 'The Droplet you specified is not running yet.',
  ipDropletTaken: 'The Droplet already has a reserved IP of this kind.',
  ipAlreadyHere: 'The reserved IP is already assigned to this Droplet.',
  ipNotAssigned: 'The reserved IP is not assigned to a Droplet.',
  ipv6Assigned: 'The reserved IPv6 is assigned to a Droplet: unassign it first.',
  projectUnknown: 'The project you specified could not be found.',
  vpcStaysDefault: 'The default VPC of a region can not be unset: make another VPC the default instead.',
  vpcPeered: 'Can not delete VPC with peerings',
  peeringName: 'VPC peering names must be unique and may only contain alphanumeric characters and dashes.',
  peeringTwo: 'vpc_ids must be the ids of two different VPCs.',
  peeringVpcUnknown: 'One of the VPCs you specified could not be found.',
  peeringPair: 'These VPCs are already peered.',
  peeringDeleting: 'The VPC peering is being deleted.',
  prefixRange: 'The prefix must be a public IPv4 network in CIDR notation, /24 or larger.',
  prefixTaken: 'The prefix overlaps with another BYOIP prefix in your account.',
  prefixLocked: 'The BYOIP prefix already has a pending event.',
  prefixInUse: 'The BYOIP prefix has IPs that are assigned: unassign them first.',
  prefixNotActive: 'Only an active BYOIP prefix can be advertised.',
  prefixSignature: 'The signature does not match the prefix.',
} as const;

/** How narrow and how wide a network of one's own may be. */
export const byoipPrefixLength = { min: 8, max: 24 } as const;
/** Addresses that serve for reserved IPs: documentation networks, which no host on the internet has. */
export const reservedV4Networks = ['192.0.2.0/24', '198.51.100.0/24'] as const;
/** A reserved IPv4 costs this while it is assigned to nothing, in US dollars; an IPv6 never does. Source: the platform's price list. */
export const idleIpPrice = { price_hourly: 0.00744, price_monthly: 5 } as const;

/** Refusals of managed databases whose exact text is not known. */
export const databaseMessages = {
  unavailable: 'cluster is not available',
  nameForm: 'cluster names have 3 to 63 lower-case letters, digits and dashes, and begin and end with a letter or digit',
  nameTaken: 'cluster name is not available',
  engine: 'invalid engine',
  notCreatable: 'new redis clusters can no longer be created: use valkey',
  version: 'invalid version for the engine',
  region: 'the engine is not available in this region',
  size: 'invalid size for the engine and number of nodes',
  downsize: 'downsizing is not allowed',
  storageShrinks: 'storage can not be reduced',
  storageFixed: 'storage can not be changed for this engine',
  replicasNeedNodes: 'there are topics with more replicas than the cluster would have nodes',
  notNewer: 'the version must be newer than the current one',
  vpc: 'the VPC could not be found in the region of the cluster',
  restoreUnknown: 'there is no such cluster to restore from',
  restoreEngine: 'a backup can only be restored to the same engine',
  restoreNone: 'there is no such backup',
  noBackups: 'backups are not supported for this engine',
  noUsers: 'user management is not supported for this engine',
  userName: 'user names have 1 to 63 letters, digits, underscores, dots and dashes, and do not begin with a dot or dash',
  userTaken: 'a user with this name already exists',
  adminStays: 'the admin user can not be deleted',
  onlyMysql: 'sql_mode is only available for MySQL clusters',
  incrementalSchedule: 'mysql_incremental_backup.full_backup_week_schedule is required when incremental backups are enabled',
  schemaRegistry: 'schema_registry needs a size with dedicated CPUs',
  noMigration: 'online migration is not supported for this engine',
  migrationRuns: 'an online migration is already in progress',
  migrationOver: 'the online migration is not in progress',
  onlyKafka: 'topics are only available for Kafka clusters',
  topicName: 'topic names have 1 to 249 letters, digits, dots, underscores and dashes',
  topicTaken: 'a topic with this name already exists',
  topicDeleting: 'the topic is being deleted',
  partitionsShrink: 'the number of partitions can not be reduced',
  replicas: 'replication_factor can not be larger than the number of nodes',
  tooManyRules: 'a cluster has at most 100 firewall rules',
  ruleTwice: 'two firewall rules have the same type and value',
  ruleUuidTwice: 'two firewall rules have the same uuid',
  ruleCluster: 'a firewall rule belongs to another cluster',
  ruleDroplet: 'a firewall rule names a Droplet that does not exist',
  ruleTag: 'a firewall rule names a tag that does not exist',
  ruleAddress: 'a firewall rule has to name an IPv4 address or network',
  ruleUuid: 'a firewall rule for a Kubernetes cluster or an app has to name its UUID',
} as const;

/** Daily backups of a database cluster that are kept. Source: the product's documentation. */
export const keptDatabaseBackups = 7;
/** Partitions and replicas of a Kafka topic that names none, and the most partitions it may have. */
export const topicDefaults = { partitions: 3, replicas: 2, maxPartitions: 2048 } as const;

/** Refusals of uptime checks, their alerts and alert policies whose exact text is not known. */
export const insightMessages = {
  checkHttp: 'target must be a URL that begins with http:// or https://, as the type says.',
  checkPing: 'target must be a host name or an IP address.',
  checkRegions: 'regions must be some of us_east, us_west, eu_west, se_asia, each once.',
  alertThreshold: 'threshold must be a whole number above 0.',
  alertComparison: { latency: 'comparison must be greater_than for latency.', ssl_expiry: 'comparison must be less_than for ssl_expiry.' },
  recipients: 'The recipients must be an object with the arrays email and slack.',
  email: 'Every email must be an email address.',
  slack: 'Every slack entry must be an object with a channel and a url that begins with http:// or https://.',
  policyPercent: 'value must be a number between 0 and 100 for this type.',
  policyValue: 'value must be a number from 0.',
  policyEntity: 'No resource of the kind that this type watches has this id: ',
  metricMoment: 'must be a UNIX timestamp in whole seconds.',
  metricOrder: 'end must not be before start.',
} as const;

/**
 * How far apart the values of a metric are, in seconds, so that a reply has at most so many. Also taken for granted of metrics: every droplet
 * has the agent that measures inside it, and shows its present size for its past too; HTTP response times are seconds, and the health of a
 * load balancer is the number of droplets behind it that run; an unknown droplet or load balancer has no series, since the document
 * has no 404 there.
 */
export const metricSteps = { seconds: [60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400], maxPoints: 300 } as const;
/** How the time in which processors are busy is spent; the rest is idle. */
export const cpuModes = { user: 0.64, system: 0.24, iowait: 0.06, softirq: 0.02, steal: 0.02, nice: 0.01, irq: 0.01 } as const;
/** Load for each processor that is busy all the time: some of what wants to run waits. */
export const loadPerBusyCpu = 1.1;
/** How much of the disk the file system is, and how much of the memory that is not used its cache has taken. */
export const filesystemShare = 0.97;
export const memoryCachedShare = 0.6;
/** Source: the example of operation monitoring_get_dropletFilesystemFreeMetrics. */
export const filesystemLabels = { device: '/dev/vda1', fstype: 'ext4' } as const;
/** Connections that each node of a load balancer can hold. Source: the product's documentation. */
export const balancerNodeConnections = 10_000;
/** An increase of HTTP errors: what they are in the last minutes, over what they were in the day before. */
export const httpErrorWindows = { recentSeconds: 300, beforeSeconds: 86_400 } as const;

/**
 * How long an alert's condition must not have held for the alert to recover: as long as the shortest period it could have. Also taken for
 * granted: `down` is about any region, `latency` too; what nobody knows, since it is off or not probed yet, neither fires nor recovers.
 */
export const alertCalmMs = { uptime: 120_000, policy: 300_000 } as const;

/** The share of thirty days that a target was up, before it was probed for the first time. */
export const unprobedUptimePercentage = 100;

/** Refusals about domains and certificates. */
export const dnsMessages = {
  domainName: 'Name must be a domain like example.com.',
  domainExists: 'Name already exists',
  ipInvalid: 'IP address is not valid',
  recordType: 'Type must be one of A, AAAA, CAA, CNAME, MX, NS, SRV, TXT.',
  recordName: 'Name must be @ or a host name inside the domain.',
  recordTarget: 'Data must be a host name that ends with a dot (.), or @.',
  recordCharacters: 'Data must not contain control characters.',
  caaReport: 'Data of an iodef record must be a mailto, http or https URL.',
  cnameShared: 'CNAME records cannot share a name with other records',
  soaExists: 'A domain has exactly one SOA record.',
  soaFixed: 'Of an SOA record only the ttl can be changed.',
  leafInvalid: 'The leaf certificate is not a PEM-formatted certificate.',
  privateKeyInvalid: 'The private key is not a PEM-formatted private key without a passphrase.',
  keyMismatch: 'The private key does not match the leaf certificate.',
  chainInvalid: 'The certificate chain is not a series of PEM-formatted certificates.',
  certificateExists: 'A certificate with this name already exists.',
  dnsNamesOfCustom: 'dns_names is taken from the leaf certificate and can not be given.',
  dnsNamesInvalid: 'dns_names must be fully qualified domain names, at least one.',
  dnsNamesUnmanaged: 'All dns_names must belong to domains of this account.',
} as const;

/** How long an issued certificate is good, and how many days before its end it is renewed. */
export const letsEncryptDays = 90;
export const letsEncryptRenewalDays = 30;

/**
 * Refusals about firewalls and load balancers. Also taken for granted: a domain that a global load balancer manages stays with it, no
 * longer managed, when the account's last zone that it lies in is deleted; a firewall's rule goes with the last thing that it names.
 */
export const trafficMessages = {
  firewallName: 'name must begin with a letter or a digit, followed by letters, digits, periods and dashes.',
  firewallWithoutRules: 'must have at least one inbound or outbound rule',
  duplicateRule: 'duplicate rule',
  tooManyRules: 'a firewall can have at most 50 rules',
  tooManyDroplets: 'a firewall can have at most 10 Droplets, and any number by tag',
  tooManyTags: 'a firewall can have at most 5 tags',
  sourcesRequired: 'an inbound rule must have at least one source',
  destinationsRequired: 'an outbound rule must have at least one destination',
  addressInvalid: 'addresses must be IPv4 or IPv6 addresses or networks in CIDR notation',
  dropletUnknown: 'One or more Droplets could not be found.',
  tagUnknown: 'One or more tags could not be found.',
  balancerUnknown: 'One or more load balancers could not be found.',
  clusterUnknown: 'One or more Kubernetes clusters could not be found.',
  balancerName: 'name may only contain letters, digits, periods and dashes, and must begin with a letter or a digit',
  balancerExists: 'A load balancer with this name already exists.',
  placeFixed: 'type, region, network, network_stack and vpc_uuid can not be changed after creation.',
  internalDualstack: 'An internal load balancer has no public addresses: its network_stack must be IPV4.',
  globalPlace: 'A global load balancer is external, in no region and in no VPC.',
  globalSettings: 'A global load balancer needs glb_settings.',
  globalOnly: 'glb_settings, domains and target_load_balancer_ids are for load balancers of type GLOBAL.',
  globalRules: 'The forwarding of a global load balancer is set by its glb_settings.',
  globalDomain: 'domains must be fully qualified domain names; a managed one must belong to a domain of this account.',
  globalTarget: 'target_load_balancer_ids must be the ids of regional load balancers.',
  regionUnknown: 'region_priorities must name regions.',
  noDroplets: 'need to provide either a tag or a list of droplets',
  tagAndDroplets: 'droplet_ids and tag are mutually exclusive.',
  taggedDroplets: 'Droplets can not be added or removed one by one: the load balancer is configured with a tag.',
  dropletElsewhere: 'Droplets must be in the region and the VPC of the load balancer.',
  rulesRequired: 'forwarding_rules must have at least one rule.',
  lastRule: 'A load balancer must keep at least one forwarding rule.',
  entryPortTaken: 'forwarding_rules must have different entry ports.',
  networkProtocols: 'A regional network load balancer forwards tcp and udp only.',
  udpPair: 'udp can only be forwarded to udp.',
  tcpPair: 'tcp can only be forwarded to tcp.',
  certificateRequired: 'https, http2 and http3 need a certificate_id, or tls_passthrough.',
  certificateUnknown: 'The certificate could not be found, or could not be issued.',
  passthrough: 'tls_passthrough needs https or http2 on both sides, the same, and no certificate_id.',
  encryptionUnused: 'certificate_id and tls_passthrough are for https, http2 and http3.',
  checkPath: 'The path of a health check must begin with a slash.',
  accessRule: 'firewall must list ip:<address> and cidr:<network>.',
  noCache: 'Only a global load balancer with its CDN enabled has a cache.',
} as const;

/** What a firewall can hold. */
export const firewallLimits = { droplets: 10, tags: 5, rules: 50 } as const;
/** US dollars a month for each node of a load balancer. */
export const loadBalancerNodeMonthly = { REGIONAL: 12, REGIONAL_NETWORK: 15, GLOBAL: 15 } as const;
/** How often each region looks. Source: the product's documentation. */
export const probeIntervalSeconds = 60;
/** What the way from a region adds to what is measured from this machine, in milliseconds. */
export const regionLatencyMs = { us_east: 12, us_west: 68, eu_west: 84, se_asia: 190 } as const;
