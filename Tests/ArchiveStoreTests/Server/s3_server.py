"""An S3 service that checks signatures and permissions, for tests: moto with a user who may do what the documentation asks for.

    python3 s3_server.py PORT

Prints `ready ACCESS_KEY SECRET_KEY` when it responds, and runs until it is ended by a signal.
"""

import json
import logging
import os
import signal
import sys

import boto3
from moto import settings
from moto.server import ThreadedMotoServer

ACTIONS = ["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload", "ListBucketMultipartUploads"]


def main():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=int(sys.argv[1]), verbose=False)
    server.start()
    options = {
        "endpoint_url": f"http://127.0.0.1:{sys.argv[1]}", "region_name": "eu-central-1", "aws_access_key_id": "none",
        "aws_secret_access_key": "none",
    }
    iam = boto3.client("iam", **options)
    iam.create_user(UserName="venuesync")
    statement = {
        "Effect": "Allow", "Action": [f"s3:{action}" for action in ACTIONS],
        "Resource": ["arn:aws:s3:::archives", "arn:aws:s3:::archives/*"],
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    iam.put_user_policy(UserName="venuesync", PolicyName="archives", PolicyDocument=policy)
    key = iam.create_access_key(UserName="venuesync")["AccessKey"]
    boto3.client("s3", **options).create_bucket(
        Bucket="archives", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    # From here on, every request is authenticated and authorized.
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    print("ready", key["AccessKeyId"], key["SecretAccessKey"], flush=True)
    # Also where the program that starts this one blocks the signal.
    signal.sigwait({signal.SIGTERM})
    os._exit(0)


if __name__ == "__main__":
    main()
