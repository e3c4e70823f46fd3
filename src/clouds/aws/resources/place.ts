/** Where resources lie; part of their ARNs. */
export interface AwsPlace {
  readonly region: string;
  /** Twelve digits. */
  readonly account: string;
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  readonly partition: string;
}

/** The ARN of something that lies in a region, such as `function:<name>` of the service `lambda`. */
export function arnOf(place: AwsPlace, service: string, rest: string): string {
  return `arn:${place.partition}:${service}:${place.region}:${place.account}:${rest}`;
}

/** The ARN of a role; IAM knows no regions. */
export function roleArn(place: AwsPlace, name: string): string {
  return `arn:${place.partition}:iam::${place.account}:role/${name}`;
}

/** The ARN of a bucket; S3 writes neither region nor account. */
export function bucketArn(place: AwsPlace, name: string): string {
  return `arn:${place.partition}:s3:::${name}`;
}
